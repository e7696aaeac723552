# Functions that call each other. The name of each function is its caller's name and one more letter.
invisible(compiler::enableJIT(0)) # otherwise the compiler's own functions are on the stack
make <- function(name, depth) {
  below <- if (depth == 0) character() else paste0(name, c("p", "q", "r"))
  calls <- paste0("  ", below, "(n)\n", recycle0 = TRUE)
  for (one in below) make(one, depth - 1)
  text <- c("function(n) {\n x <- 0\n for (i in seq_len(n)) x <- x + i\n", calls, "  x\n}")
  assign(name, compiler::cmpfun(eval(parse(text = paste(text, collapse = "")), globalenv())), globalenv())
}
make("a", 5)
n <- as.numeric(commandArgs(TRUE))
repeat a(n)
