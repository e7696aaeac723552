#!/usr/bin/env bats
# Tests of typical R jobs. One process executes three programs in turn: Rscript, a shell and R. Parallel workers of R
# are forked by mclapply, or started through a background shell (PSOCK).

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	need Rscript
	cd "$BATS_TEST_TMPDIR"
	cat >job.R <<-'END'
		library(parallel)
		cat("arguments:", commandArgs(trailingOnly = TRUE), "\n")
		cat("system:", system("echo spoken by a shell", intern = TRUE), "\n")
		cat("forked:", unlist(mclapply(1:4, function(i) i * 10, mc.cores = 2)), "\n")
		cat("forked and left alone:", unlist(mclapply(1:2, sqrt, mc.cores = 2, mc.cleanup = FALSE)), "\n")
		workers <- makeCluster(2)
		cat("workers:", unlist(clusterApply(workers, 1:2, function(i) i^2)), "\n")
		stopCluster(workers)
		message("a word on stderr")
	END
}

@test "an R job with system, mclapply and PSOCK behaves the same when tracked" {
	same_every_way Rscript job.R first 'second word'
	bare_status_is 0
	bare_says 'workers: 1 4'
}

@test "an R job is one run with all its processes, named after its script" {
	for way in preload launcher; do
		one_way $way Rscript --vanilla job.R first 'second word'
		run=$(run_of $way)
		[ "$(json job "$run/run.json")" = job.R ]
		[ "$(json status "$run/run.json")" = finished ]
		[ "$(json exit_code "$run/run.json")" = 0 ]
		[ "$(json stop_time "$run/run.json")" != null ]
		[ "$(command_of "$run")" = "$(printf '"%s"\n' Rscript --vanilla job.R first 'second word')" ]
		[ "$(starts_with_text "$run" 'spoken by a shell')" -ge 1 ]
		[ "$(starts_with_text "$run" '/exec/R')" -ge 3 ]
		workers=$(grep -F workRSOCK "$run/start.csv" | grep -F /exec/R | cut -d, -f2 | sort -u | wc -l)
		[ "$workers" -eq 2 ]
		root=$(json pid "$run/run.json")
		images=$(cut -d, -f2,5 "$run/start.csv" | grep "^$root," | sort -u | wc -l)
		[ "$images" -ge 3 ]
		# Without mc.cleanup = FALSE, mclapply kills its workers, often before they write an exit record.
		forked=$(cut -d, -f2,4,5 "$run/start.csv" | grep ",$root,.*/exec/R" | sort -u | wc -l)
		[ "$forked" -ge 2 ]
	done
}

@test "every process of an R job records its end" {
	for way in preload launcher; do
		one_way $way Rscript job.R
		run=$(run_of $way)
		cut -d, -f2,3 "$run/start.csv" | tail -n +2 | sort -u >started
		cut -d, -f2,3 "$run/exit.csv" | tail -n +2 | sort -u >ended
		diff started ended
	done
}

@test "an R job that calls quit(status = 3) is a failed run with exit code 3" {
	echo 'quit(status = 3)' >job.R
	same_every_way Rscript job.R
	bare_status_is 3
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json status "$run/run.json")" = failed ]
		[ "$(json exit_code "$run/run.json")" = 3 ]
		[ "$(json stop_time "$run/run.json")" != null ]
	done
}

@test "an R job that calls stop() is a failed run with exit code 1" {
	echo 'stop("no such thing")' >job.R
	same_every_way Rscript job.R
	bare_status_is 1
	bare_says 'no such thing'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json status "$run/run.json")" = failed ]
		[ "$(json exit_code "$run/run.json")" = 1 ]
	done
}

@test "the CPU time of an R job is equal to what R itself reports" {
	cat >job.R <<-'END'
		while (sum(proc.time()[1:2]) < 1) sum(as.numeric(seq_len(1e5)))
		cat(sum(proc.time()[1:2]), "\n")
	END
	for way in preload launcher; do
		one_way $way Rscript job.R
		near "$(total "$(run_of $way)" cpu_seconds)" "$(cat "$way.out")" 0.03 0.01
	done
}

@test "R without the package: the function in docs/integrations.md sets marks" {
	recipe R r 2 >mark.R
	cat >>mark.R <<-END
		mark("all is loaded")
		mark("\303\274ber 2 parts")
	END
	LC_ALL=C.UTF-8 LD_PRELOAD="$BUILD/librtrack.so" Rscript mark.R
	[ "$(column "$(only_run)/mark.csv" label)" = "$(printf '"all is loaded"\n"\303\274ber 2 parts"')" ]
}

@test "R without the package: .C and .Call accept every kind of string" {
	cat >mark.R <<-END
		invisible(dyn.load("$BUILD/librtrack.so"))
		invisible(.C("rtrack_mark", c(charToRaw("by its bytes"), as.raw(0))))
		invisible(.C("rtrack_mark", "by .C"))
		invisible(.C("rtrack_mark", c("the first of two", "the second")))
		stopifnot(identical(.Call("rtrack_mark", "by .Call"), "by .Call"))
		label <- function(text) stopifnot(identical(.Call("rtrack_mark", text), text))
		label(paste("part", 2L))
		label(iconv("caf\303\251", "UTF-8", "latin1")) # a string in Latin-1
		label(as.character(7L)) # R converts the number to a string at the first access.
		label(structure("of a class", class = "name"))
		label(8L)
		for (text in c("p", "0", "P\020", strrep("long ", 40))) {
		  label(text)
		  invisible(.C("rtrack_mark", text))
		}
		label(NULL)
		for (other in list(character(0), list(1), quote(f(x)), sum, globalenv())) label(other)
	END
	LC_ALL=C.UTF-8 LD_PRELOAD="$BUILD/librtrack.so" Rscript mark.R
	RTRACK=off LD_PRELOAD="$BUILD/librtrack.so" Rscript mark.R # Without tracking, .Call returns its argument.
	column "$(only_run)/mark.csv" label >labels
	cat >expected <<-END
		"by its bytes"
		"by .C"
		"the first of two"
		"by .Call"
		"part 2"
		"café"
		"7"
		"of a class"
		"8"
		"p"
		"p"
		"0"
		"0"
		"P "
		"P "
		"$(printf 'long %.0s' {1..40})"
		"$(printf 'long %.0s' {1..40})"
		"NA"
		"NA"
		"NA"
		"NA"
		"NA"
		"NA"
	END
	diff expected labels
}
