# SPDX-License-Identifier: Apache-2.0
# Reads runs as data frames, and makes their pages

tables <- c("system", "process", "member", "start", "exit", "mark", "line")

# Returns the output of rtrack-report, one element per line. Tracking is off, because rtrack-report must not become part
# of the run that it reads.
report <- function(...) {
  errors <- tempfile("rtrack")
  on.exit(unlink(errors))
  lines <- suppressWarnings(system2(rtrack_path("rtrack-report"), shQuote(c(...)), stdout = TRUE, stderr = errors,
                                    env = c("RTRACK=off", "LD_PRELOAD=")))
  if (!is.null(attr(lines, "status")))
    stop(paste(readLines(errors, warn = FALSE), collapse = "\n"), call. = FALSE)
  lines
}

rtrack_report <- function(run = NULL, file = tempfile("rtrack-", fileext = ".html"), open = interactive()) {
  force(file)
  report("html", named(run), "-o", file)
  if (open) utils::browseURL(file)
  invisible(file)
}

# Returns the argument, or the run of this session if it is NULL. If the session has no run, rtrack-report uses the
# latest run.
named <- function(run) {
  if (is.null(run)) {
    rtrack_flush()
    run <- rtrack_run()
  }
  run
}

# The last line of `show --short` ends with the directory of the run.
directory_of <- function(run) {
  lines <- report("show", "--short", run)
  sub("^ *(Run +|Request .*?; run: )", "", lines[length(lines)], perl = TRUE)
}

rtrack_read <- function(run = NULL, frame = c("data.frame", "data.table")) {
  frame <- match.arg(frame)
  directory <- named(run)
  if (is.null(directory) || !dir.exists(directory)) directory <- directory_of(directory)
  read <- function(table) {
    file <- file.path(directory, paste0(table, ".csv"))
    if (!file.exists(file) || file.size(file) == 0) return(NULL)
    rows <- utils::read.csv(file, encoding = "UTF-8", na.strings = "")
    if (frame == "data.table") data.table::setDT(rows)
    rows
  }
  found <- lapply(stats::setNames(tables, tables), read)
  text <- readLines(file.path(directory, "run.json"), warn = FALSE, encoding = "UTF-8")
  c(list(run = read_json(text)), Filter(Negate(is.null), found))
}
