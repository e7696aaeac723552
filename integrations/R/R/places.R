# SPDX-License-Identifier: Apache-2.0
# Finds the library and the programs: all in one directory, or the programs in bin and the library in lib next to it

library_name <- "librtrack.so"

# Returns the path of the library that this process has loaded.
loaded <- function() {
  if (!file.exists("/proc/self/maps")) return(character())
  files <- sub("^([^ ]+ +){5}", "", readLines("/proc/self/maps", warn = FALSE))
  unique(files[endsWith(files, paste0("/", library_name))])
}

folders <- function() {
  there <- c(loaded(), Sys.which(c("rtrack-run", "rtrack-report")))
  there <- dirname(normalizePath(there[nzchar(there)], mustWork = FALSE))
  prefixes <- c(path.expand("~/.local"), "/usr/local", "/usr")
  unique(c(there, file.path(dirname(there), "bin"), file.path(dirname(there), "lib"),
           file.path(prefixes, "bin"), file.path(prefixes, "lib")))
}

rtrack_path <- function(name = "librtrack.so") {
  if (name == library_name && is_loaded()) return(loaded()[1L])
  files <- file.path(folders(), name)
  files <- files[file.exists(files) & !dir.exists(files)]
  if (length(files) == 0L)
    stop("cannot find ", name, " on PATH or below ~/.local, /usr/local or /usr", call. = FALSE)
  files[1L]
}
