# SPDX-License-Identifier: Apache-2.0
# Functions with which a session controls its tracker

rtrack_mark <- function(label) {
  invisible(.Call(C_mark, as.character(label)[1L]))
}

rtrack_flush <- function() {
  invisible(.Call(C_flush))
}

state <- new.env(parent = emptyenv())
state$stopped <- FALSE # rtrack_stop has ended the tracking of this session

rtrack_stop <- function() {
  tracked <- .Call(C_stop)
  state$stopped <- state$stopped || tracked
  invisible(tracked)
}

rtrack_part <- function(name, expr) {
  rtrack_flush()
  rtrack_mark(paste("begin", name))
  on.exit({
    rtrack_mark(paste("end", name))
    rtrack_flush()
  })
  expr
}

# Returns the run of this session, or NULL. Until a run is over, a symbolic link with the pid of its first process leads
# to it.
rtrack_run <- function() {
  if (state$stopped) return(NULL)
  named <- Sys.getenv("RTRACK_RUN")
  link <- file.path(c("/dev/shm", "/tmp"), paste0("rtrack-", file.info("/proc/self")$uid), Sys.getpid())
  target <- sub("^[0-9 ]*:", "", Sys.readlink(link))
  found <- c(target, named)
  found <- found[nzchar(found) & dir.exists(found)]
  if (length(found) > 0L && is_loaded()) found[1L] else NULL
}

is_loaded <- function() {
  length(loaded()) > 0L
}

# Returns the file that knitr processes, also for rmarkdown and Quarto, or NULL. Quarto gives knitr a copy with another
# suffix.
document <- function() {
  told <- Sys.getenv("QUARTO_DOCUMENT_FILE")
  if (nzchar(told)) return(basename(told))
  input <- if (isNamespaceLoaded("knitr")) getExportedValue("knitr", "current_input")()
  if (is.null(input)) return(NULL)
  of_quarto <- sub("[.]rmarkdown$", ".qmd", input)
  if (file.exists(of_quarto)) of_quarto else input
}

rtrack_start <- function(job = NULL, interval = NULL, spool = NULL, tags = NULL) {
  library <- NULL
  if (!is_loaded()) {
    # A script that calls this function also works on a machine without the library.
    library <- tryCatch(rtrack_path(), error = function(error) {
      warning("this session is not tracked: ", conditionMessage(error), call. = FALSE)
      NULL
    })
    if (is.null(library)) return(invisible(NULL))
  }
  if (!is.null(library) || is.null(rtrack_run())) {
    settings <- list(RTRACK_JOB = if (is.null(job)) document() else job, RTRACK_INTERVAL = interval, RTRACK_SPOOL = spool,
                     RTRACK_TAGS = if (length(tags)) paste0("\n", names(tags), "=", tags, collapse = ""))
    settings <- Filter(Negate(is.null), settings)
    before <- Sys.getenv(names(settings), unset = NA, names = TRUE)
    on.exit({
      Sys.unsetenv(names(before)[is.na(before)])
      if (any(!is.na(before))) do.call(Sys.setenv, as.list(before[!is.na(before)]))
    })
    if (length(settings) > 0L) do.call(Sys.setenv, lapply(settings, as.character))
    if (!is.null(library)) {
      dyn.load(library, local = FALSE)
    } else if (.Call(C_start)) { # After rtrack_stop, the library begins another run.
      state$stopped <- FALSE
    } else if (Sys.getenv("RTRACK") != "off") {
      warning("no run can begin in this session", call. = FALSE)
    }
  }
  invisible(rtrack_run())
}
