-- A module (Lmod, and Tcl modules from 5.0 on): `module load rtrack` tracks each command that is started afterwards.
help("rtrack records CPU time, memory, I/O and GPU use of each command; rtrack-report shows what was used.")
whatis("Name: rtrack")
whatis("Description: resource use of batch jobs")

local prefix = "/usr/local"
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
-- After the libraries that are preloaded already.
append_path("LD_PRELOAD", pathJoin(prefix, "lib/librtrack.so"))
