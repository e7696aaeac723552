/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how a job is named after its command line. */
#include "core/job_name.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

enum { WORDS_MAX = 10 };

static void check_names(void)
{
	static const struct {
		const char *name;
		const char *words[WORDS_MAX];
	} rows[] = {
		{"unnamed", {NULL}},
		{"unnamed", {""}},
		{"make", {"make", "-j2"}},
		{"job.sh", {"/srv/jobs/job.sh", "x"}},
		{"dir/", {"dir/"}},
		{"job.R", {"Rscript", "job.R"}},
		{"job.R", {"/usr/bin/Rscript", "--vanilla", "/home/u/job.R", "input.csv"}},
		{"Rscript", {"Rscript", "-e", "1 + 1"}},
		{"job.R", {"R", "--no-echo", "--no-restore", "--file=dir/job.R", "--args", "x"}},
		{"job.R", {"R", "-f", "job.R"}},
		{"R", {"R"}},
		{"R", {"R", "-g", "Tk"}},
		{"job.py", {"python3", "job.py", "--fast"}},
		{"job.py", {"python3.11", "-W", "ignore", "-u", "./job.py"}},
		{"python3", {"python3", "-c", "print(1)", "x"}},
		{"pkg.tool", {"python3", "-m", "pkg.tool", "x"}},
		{"fit.py", {"python3", "/w/.snakemake/scripts/tmp_a1b2c3d.fit.py"}},
		{"fit.R", {"Rscript", "--vanilla", ".snakemake/scripts/tmp_a1b2c3d.fit.R"}},
		{"tmp_a1b2c3d.fit.py", {"python3", "scripts/tmp_a1b2c3d.fit.py"}},
		{"tmpfit.py", {"python3", ".snakemake/scripts/tmpfit.py"}},
		{"python3", {"python3", "-m"}},
		{"python3", {"python3", "-"}},
		{"job.pl", {"perl", "-w", "job.pl"}},
		{"perl", {"perl", "-e", "print 1"}},
		{"job.js", {"node", "--require", "x.js", "job.js"}},
		{"app.jar", {"java", "-Xmx1g", "-jar", "lib/app.jar", "x"}},
		{"Main", {"java", "-cp", "a:b", "Main"}},
		{"job.sh", {"bash", "-eu", "job.sh"}},
		{"job.sh", {"bash", "-o", "pipefail", "job.sh"}},
		{"job.sh", {"bash", "--noprofile", "--norc", "-eo", "pipefail", "job.sh"}},
		{"bash", {"bash", "-euo", "pipefail", "-c", "export PGPASSWORD=hunter2; a/b"}},
		{"bash", {"bash", "-ec", "export PGPASSWORD=hunter2; a/b"}},
		{"bash", {"bash", "-lc", "a/b"}},
		{"zsh", {"zsh", "-ic", "a/b"}},
		{"sh", {"nice", "-n", "5", "sh", "-exc", "a/b"}},
		{"job.sh", {"bash", "-eux", "job.sh"}},
		{"python3", {"python3", "-uc", "a/b"}},
		{"python3", {"python3", "-Bc", "a/b"}},
		{"job.py", {"python3", "-uWignore", "job.py"}},
		{"job.py", {"python3", "-uW", "ignore", "job.py"}},
		{"job.py", {"python3", "-Xdev", "job.py"}},
		{"perl", {"perl", "-ne", "s/a/b/"}},
		{"perl", {"perl", "-lane", "s/a/b/"}},
		{"job.pl", {"perl", "-MData::Dumper", "-w", "job.pl"}},
		{"job.pl", {"perl", "-CSDA", "job.pl"}},
		{"ruby", {"ruby", "-ne", "a/b"}},
		{"job.rb", {"ruby", "-rjson", "job.rb"}},
		{"node", {"node", "-pe", "a/b"}},
		{"job.jar", {"java", "-Dstep", "-Xmx1g", "-jar", "job.jar"}},
		{"sh", {"sh", "-c", "sleep 1"}},
		{"bash", {"-bash"}},
		{"bash", {"-bash", "-i"}},
		{"fish", {"fish", "job.fish"}},
		{"job.py", {"/usr/bin/env", "bash", "/opt/shims/python3", "job.py"}},
		{"python3", {"bash", "/opt/shims/python3"}},
		{"job.R", {"env", "-u", "HOME", "LC_ALL=C", "-i", "Rscript", "job.R"}},
		{"env", {"env", "LC_ALL=C"}},
		{"a.py", {"numactl", "-N", "0", "--membind", "0", "python3", "a.py"}},
		{"cc", {"chrt", "-b", "0", "cc", "x.c"}},
		{"a.R", {"xvfb-run", "-a", "-s", "-screen 0 640x480x24", "Rscript", "a.R"}},
		{"ls", {"/lib64/ld-linux-x86-64.so.2", "/bin/ls", "/"}},
		{"ls", {"ld-linux-aarch64.so.1", "--library-path", "/a:/b", "--argv0", "dir", "/bin/ls"}},
		{"a.py", {"/lib/ld-musl-x86_64.so.1", "--preload", "x.so", "--", "/usr/bin/python3.11", "a.py"}},
		{"ls", {"/lib64/ld64.so.2", "ls"}},
		{"ld-linux.so.2", {"/lib/ld-linux.so.2", "--version"}},
		{"make", {"nice", "-n", "5", "nohup", "make", "x"}},
		{"job.R", {"timeout", "-s", "KILL", "1h", "Rscript", "job.R"}},
		{"timeout", {"timeout", "1h"}},
		{"job.R", {"R", "CMD", "BATCH", "--no-save", "job.R", "job.Rout"}},
		{"check", {"R", "CMD", "check", "pkg"}},
		{"fit.jl", {"julia", "-t", "4", "fit.jl"}},
		{"fit.jl", {"julia", "--project=.", "-O3", "fit.jl", "4"}},
		{"job.php", {"php8.2", "-d", "memory_limit=1G", "job.php"}},
		{"job.m", {"octave-cli", "--quiet", "job.m"}},
		{"octave", {"octave", "--eval", "a/b"}},
		{"train", {"matlab", "-nodisplay", "-batch", "train"}},
		{"matlab", {"matlab", "-batch", "train(3)"}},
		{"job.py", {"uv", "run", "--with", "numpy", "job.py", "x"}},
		{"job.py", {"uv", "run", "python", "job.py"}},
		{"pkg.tool", {"uv", "run", "--with", "numpy", "-m", "pkg.tool"}},
		{"uv", {"uv", "sync"}},
		{"ruff", {"uvx", "--from", "ruff==0.5", "ruff", "check"}},
		{"job.py", {"poetry", "-C", "dir", "run", "python", "job.py"}},
		{"poetry", {"poetry", "install"}},
		{"job.py", {"pipenv", "run", "python3", "job.py"}},
		{"train", {"pixi", "run", "-e", "gpu", "train"}},
		{"job.py", {"conda", "run", "-n", "base", "--no-capture-output", "python", "job.py"}},
		{"job.R", {"micromamba", "run", "-n", "r", "Rscript", "job.R"}},
		{"job.py", {"pyenv", "exec", "python", "job.py"}},
		{"job.rb", {"bundle", "exec", "ruby", "job.rb"}},
		{"in.ipynb", {"papermill", "-p", "alpha", "0.1", "in.ipynb", "out.ipynb"}},
		{"in.ipynb", {"python3", "/venv/bin/papermill", "in.ipynb", "out.ipynb"}},
		{"in.ipynb", {"jupyter", "nbconvert", "--to", "notebook", "--execute", "in.ipynb"}},
		{"jupyter", {"jupyter", "lab"}},
		{"in.qmd", {"quarto", "render", "in.qmd", "--to", "html"}},
		{"train.py", {"torchrun", "--nproc_per_node", "4", "train.py", "--lr", "1"}},
		{"train.py", {"python", "-m", "torch.distributed.run", "--nproc_per_node=4", "train.py"}},
		{"train.py", {"accelerate", "launch", "--num_processes", "2", "train.py"}},
		{"train.py", {"deepspeed", "--num_gpus", "2", "train.py"}},
		{"job.py", {"singularity", "exec", "--bind", "/data", "r.sif", "python3", "job.py"}},
		{"r.sif", {"apptainer", "run", "r.sif", "x"}},
		{"app.py", {"spark-submit", "--master", "local[2]", "--conf", "a=b", "app.py"}},
		{"job.py", {"mpirun", "-np", "4", "--mca", "btl", "self", "python", "job.py"}},
		{"sim", {"srun", "-n", "4", "--mem=1G", "./sim"}},
		{"job.sh", {"flock", "-n", "/tmp/lock", "bash", "job.sh"}},
		{"flock", {"flock", "/tmp/lock", "-c", "a/b"}},
		{"gzip", {"xargs", "-n", "1", "-P4", "gzip", "-9"}},
		{"job.py", {"sudo", "-u", "nobody", "A=b", "python3", "job.py"}},
		{"job.py", {"setarch", "-R", "python3", "job.py"}},
		{"job.py", {"python", "-m", "coverage", "run", "--source", "a", "job.py"}},
		{"pytest", {"coverage", "run", "-m", "pytest", "tests"}},
		{"coverage", {"coverage", "report"}},
		{"job.py", {"python", "-m", "cProfile", "-o", "out", "job.py"}},
		{"job.py", {"srun", "-n2", "conda", "run", "-n", "a", "python", "job.py"}},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char *words[WORDS_MAX];
		char what[128] = "";
		int count = 0;
		for (; count < WORDS_MAX && rows[i].words[count]; count++) {
			words[count] = (char *)(uintptr_t)rows[i].words[count];
			(void)snprintf(what + strlen(what), sizeof what - strlen(what), "%s ", words[count]);
		}
		is_text(string_of(job_name(words, count)), rows[i].name, what);
	}
}

int main(void)
{
	check_names();
	return done();
}
