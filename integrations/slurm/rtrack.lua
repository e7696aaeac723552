-- A module for Lmod, and for Tcl modules 5.0 or later. After `module load rtrack`, each command is tracked.
help("rtrack records CPU time, memory, I/O and GPU use of each command; rtrack-report shows what was used.")
whatis("Name: rtrack")
whatis("Description: resource use of batch jobs")

local prefix = "/usr/local"
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
-- The library is added after libraries that are already preloaded.
append_path("LD_PRELOAD", pathJoin(prefix, "lib/librtrack.so"))
