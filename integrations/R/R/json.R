# SPDX-License-Identifier: Apache-2.0
# A JSON reader that returns lists. It is sufficient for run.json; base R has none.

token_pattern <- "\"(\\\\.|[^\"\\\\])*\"|-?[0-9][0-9.eE+-]*|true|false|null|[][{}:,]"

# A JSON string is also a string constant of R, except for an escape that R does not know.
json_text <- function(token) {
  tryCatch(enc2utf8(str2lang(gsub("\\/", "/", token, fixed = TRUE))),
           error = function(e) substr(token, 2L, nchar(token) - 1L))
}

read_json <- function(lines) {
  text <- paste(lines, collapse = "\n")
  tokens <- regmatches(text, gregexpr(token_pattern, text, perl = TRUE))[[1L]]
  at <- 0L
  take <- function() {
    at <<- at + 1L
    if (at > length(tokens)) stop("run.json ends too early", call. = FALSE)
    tokens[at]
  }
  members <- function(end, keyed) {
    found <- list()
    repeat {
      token <- take()
      if (token == end) return(found)
      if (token == ",") next
      key <- NULL
      if (keyed) {
        key <- json_text(token)
        take()
        token <- take()
      }
      value <- list(value_of(token))
      if (keyed) names(value) <- key
      found <- c(found, value)
    }
  }
  value_of <- function(token) {
    switch(token,
           "{" = members("}", TRUE),
           "[" = unlist(members("]", FALSE)),
           true = TRUE, false = FALSE, null = NA,
           if (startsWith(token, "\"")) json_text(token) else as.numeric(token))
  }
  value_of(take())
}
