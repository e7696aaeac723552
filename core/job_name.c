/* SPDX-License-Identifier: Apache-2.0 */
/* Derives the name of a job from its command line. */
#include "core/job_name.h"

/* Describes how to find the script that a program runs. An interpreter runs its first argument that is not an option,
 * unless an option names the script. A wrapper (env, nice, mpirun) runs another command line. */
struct interpreter {
	struct text names; /* program names separated by spaces; "python" is also the name of "python3.11" */
	/* Subcommands, such as `run` in `uv run`. If there are any, the row applies only if the first argument that is
	 * not an option is one of them. */
	struct text verbs;
	/* Options that take the next argument as their value. An option with "/2" takes the next two. The list begins
	 * and ends with a space. */
	struct text valued;
	struct text inlined; /* options whose value is program text; such a job has the interpreter's name */
	/* Options whose value is the script. The value is the next argument (" -m "), or is in the same argument ("
	 * --file= "). */
	struct text named;
	int operands; /* for a wrapper, the number of arguments before the command plus 1; otherwise 0 */
};

enum { INTERPRETER_TEXTS = 5 };

/* One interpreter per line, with the fields in the order of the struct. The table is text without pointers, because
 * every process that loads the library would have to relocate the pointers. */
static const char interpreters[] =
	"Rscript||| -e ||0\n"
	"R|| -g --gui -d --debugger | -e | -f --file= |0\n"
	"CMD|||||1\n" /* R CMD BATCH job.R */
	"BATCH|||||0\n"
	"littler|| -l -d | -e ||0\n"
	"python|| -W -X --check-hash-based-pycs | -c | -m |0\n"
	"pypy|| -W -X | -c | -m |0\n"
	"perl|| -I -M -m -F | -e -E ||0\n"
	"ruby|| -I -r -C -E | -e ||0\n"
	"php|| -c -d -z | -r -B -R -E | -f --file |0\n"
	"node|| -r --require --import --loader -C --conditions | -e --eval -p --print ||0\n"
	"julia|| -L --load -J --sysimage -H --home -t --threads -p --procs -C --cpu-target --machine-file | -e "
	"--eval -E --print | -m --module |0\n"
	"octave octave-cli|| -p --path --image-path --info-file --doc-cache-file --exec-path | --eval ||0\n"
	"matlab|| -sd -logfile -licmode || -batch -r |0\n"
	"java|| -cp -classpath --class-path -p --module-path --add-modules || -jar -m --module |0\n"
	"bash|| -O +O -o +o --rcfile --init-file | -c ||0\n"
	"dash zsh ksh sh|| -o +o | -c ||0\n"
	"papermill|| -p/2 -r/2 --parameters/2 --parameters_raw/2 -f -y -b -k --kernel --cwd ||0\n"
	"jupyter| nbconvert execute | --to --output --output-dir --template --config --log-level |||0\n"
	"jupyter-nbconvert|| --to --output --output-dir --template --config --log-level |||0\n"
	"jupyter-execute|||||0\n"
	"quarto| render | -t --to -o --output --output-dir -P -M --metadata --execute-dir --profile |||0\n"
	"coverage| run | --rcfile --source --omit --include --data-file --context --concurrency |||0\n"
	"cProfile|| -o -s |||0\n"
	"torchrun torch.distributed.run|| --nnodes --nproc-per-node --nproc_per_node --rdzv-backend "
	"--rdzv_backend --rdzv-endpoint --rdzv_endpoint --rdzv-id --rdzv_id --rdzv-conf --rdzv_conf "
	"--max-restarts --max_restarts --node-rank --node_rank --master-addr --master_addr --master-port "
	"--master_port --log-dir --log_dir --role --start-method --start_method |||0\n"
	"accelerate| launch | --config_file --num_processes --num_machines --machine_rank --mixed_precision "
	"--gpu_ids --main_process_ip --main_process_port --num_cpu_threads_per_process --dynamo_backend "
	"--deepspeed_config_file |||0\n"
	"deepspeed|| --hostfile --include --exclude --num_nodes --num_gpus --master_port --master_addr "
	"--launcher |||0\n"
	"spark-submit|| --master --deploy-mode --class --name --jars --packages --exclude-packages "
	"--repositories --py-files --files --archives --conf -c --properties-file --driver-memory "
	"--driver-java-options --driver-library-path --driver-class-path --executor-memory --proxy-user "
	"--driver-cores --total-executor-cores --executor-cores --num-executors --principal --keytab --queue |||0\n"
	"uv| run | --with --with-editable --with-requirements -p --python --project --directory --package "
	"--extra --group --only-group --env-file --index --index-url --default-index --cache-dir --config-file "
	"|| -m --module |1\n"
	"uvx|| --from --with --with-editable -p --python |||1\n"
	"poetry| run | -C --directory -P --project |||1\n"
	"pipenv| run ||||1\n"
	"pixi| run | -e --environment --manifest-path |||1\n"
	"conda mamba| run | -n --name -p --prefix --cwd |||1\n"
	"micromamba| run | -n --name -p --prefix -r --root-prefix --cwd |||1\n"
	"pyenv rbenv bundle| exec ||||1\n"
	"singularity apptainer| exec | -B --bind --mount -H --home --env --env-file -W --workdir --pwd --cwd -S "
	"--scratch -o --overlay --network --hostname --app |||2\n"
	"singularity apptainer| run | -B --bind --mount -H --home --env --env-file -W --workdir --pwd --cwd "
	"--app |||1\n"
	"mpirun mpiexec|| -n -np -c -N -ppn -H -host --host -hosts -f -hostfile --hostfile -machinefile "
	"--machinefile -x -wdir --wdir --map-by --bind-to --rank-by -mca/2 --mca/2 -env/2 -genv/2 |||1\n"
	"srun|| -A -c -C -D -d -e -G -i -J -m -N -n -o -p -q -t -w -x --account --chdir --cpus-per-task --mem "
	"--mem-per-cpu --mpi --nodes --ntasks --ntasks-per-node --partition --time --gpus --gres --jobid "
	"--job-name --output --error |||1\n"
	"sudo|| -u --user -g --group -h --host -p --prompt -C -D --chdir -R --chroot -r -t -T -U |||1\n"
	"flock|| -w --wait --timeout -E --conflict-exit-code | -c --command ||2\n"
	"xargs|| -a --arg-file -d --delimiter -E -I -L -n --max-args -P --max-procs -s --max-chars |||1\n"
	"nohup setsid setarch|||||1\n"
	"env|| -u --unset -C --chdir | -S --split-string ||1\n"
	"nice|| -n |||1\n"
	"ionice|| -c -n |||1\n"
	"stdbuf|| -i -o -e |||1\n"
	"time|| -f -o |||1\n"
	"timeout|| -k -s |||2\n"
	"taskset|||||2\n"
	"chrt|| -T -P -D |||2\n"
	"numactl|| -i -w -p -m -C -N -P --interleave --preferred --membind --physcpubind --cpunodebind |||1\n"
	"xvfb-run|| -e -f -n -p -s -w |||1\n"
	"ld.so|| --library-path --preload --audit --argv0 --inhibit-rpath --glibc-hwcaps-prepend "
	"--glibc-hwcaps-mask |||1\n";

static struct text without_version(struct text name)
{
	while (name.length > 1 && ((name.data[name.length - 1] >= '0' && name.data[name.length - 1] <= '9') ||
					  name.data[name.length - 1] == '.'))
		name.length--;
	return name;
}

/* Returns the word of the list " a b c " that matches the argument, or an empty text. A word that ends in '=' matches
 * any argument that begins with the word. Every other word matches only an equal argument. A "/2" at the end of a word
 * is ignored. */
static struct text find_option(struct text words, struct text argument)
{
	for (size_t start = 0; start < words.length;) {
		size_t end = text_find(words, ' ', start);
		struct text word = {words.data + start, end - start};
		struct text option = {word.data, text_find(word, '/', 0)};
		if (option.length > 0 && option.data[option.length - 1] == '=') {
			if (argument.length > option.length &&
				text_equal(option, (struct text){argument.data, option.length}))
				return word;
		} else if (option.length > 0 && text_equal(option, argument)) {
			return word;
		}
		start = end + 1;
	}
	return (struct text){NULL, 0};
}

/* Returns the number of following arguments that are values of this option. */
static int values_of(const struct interpreter *interpreter, struct text argument)
{
	struct text word = find_option(interpreter->valued, argument);

	return word.length == 0 ? 0 : text_ends(word, "/2") ? 2 : 1;
}

static bool is_option(const struct interpreter *interpreter, struct text argument)
{
	return (argument.length > 1 && argument.data[0] == '-') || values_of(interpreter, argument) > 0;
}

/* Returns the index of the verb in the arguments. Returns 0 if the row has no verbs, or -1 if the verb is not one of
 * them. */
static int find_verb(const struct interpreter *interpreter, char *const *arguments, int count)
{
	if (interpreter->verbs.length == 0)
		return 0;
	for (int i = 1; i < count; i++) {
		struct text argument = text_of(arguments[i]);
		if (!is_option(interpreter, argument))
			return find_option(interpreter->verbs, argument).length > 0 ? i : -1;
		i += values_of(interpreter, argument);
	}
	return -1;
}

/* Fills *found with the table row for a program. Sets *begin to the index of the verb, or to 0 if the row has no verbs.
 * Returns false if no row applies. */
static bool find_interpreter(
	struct text program, char *const *arguments, int count, struct interpreter *found, int *begin)
{
	struct text rows = TEXT(interpreters);
	struct text name = without_version(program);

	/* The dynamic loader (ld-linux-x86-64.so.2, ld-musl-x86_64.so.1) is a wrapper: it runs the program that its
	 * argument names. */
	if ((text_starts(name, "ld-") || text_starts(name, "ld64")) && text_ends(name, ".so"))
		name = TEXT("ld.so");
	for (size_t start = 0; start < rows.length;) {
		size_t end = text_find(rows, '\n', start);
		struct text cells[INTERPRETER_TEXTS];
		for (size_t i = 0; i < ARRAY_LENGTH(cells); i++) {
			size_t bar = text_find(rows, '|', start);
			cells[i] = (struct text){rows.data + start, bar - start};
			start = bar + 1;
		}
		*found = (struct interpreter){cells[0], cells[1], cells[2], cells[3], cells[4], rows.data[start] - '0'};
		if (find_option(found->names, name).length > 0) {
			*begin = find_verb(found, arguments, count);
			if (*begin >= 0)
				return true;
		}
		start = end + 1;
	}
	return false;
}

/* The effect of single-letter options behind one dash, as in "-euo pipefail". Java has only options of whole words, and
 * so do interpreters without an option for program text. */
enum bundle { BUNDLE_NOTHING, BUNDLE_TAKES_NEXT, BUNDLE_INLINE };

static enum bundle read_bundle(const struct interpreter *interpreter, struct text argument)
{
	if (interpreter->inlined.length == 0 || argument.length < 2 || argument.data[0] != '-' ||
		argument.data[1] == '-')
		return BUNDLE_NOTHING;
	for (size_t i = 1; i < argument.length; i++) {
		const char option[] = {'-', argument.data[i]};
		struct text word = {option, sizeof option};
		if (find_option(interpreter->inlined, word).length > 0)
			return BUNDLE_INLINE;
		if (find_option(interpreter->valued, word).length > 0)
			return i + 1 == argument.length ? BUNDLE_TAKES_NEXT : BUNDLE_NOTHING;
	}
	return BUNDLE_NOTHING;
}

/* Returns the index of the command that a wrapper runs, or 0 if there is none. */
static int skip_wrapper(const struct interpreter *wrapper, char *const *arguments, int count, int begin)
{
	bool assigns = text_is(wrapper->names, "env") || text_is(wrapper->names, "sudo");
	int operands = wrapper->operands;
	for (int i = begin + 1; i < count; i++) {
		struct text argument = text_of(arguments[i]);
		if (find_option(wrapper->inlined, argument).length > 0)
			return 0;
		if (find_option(wrapper->named, argument).length > 0)
			return i + 1 < count ? i + 1 : 0;
		if (is_option(wrapper, argument))
			i += values_of(wrapper, argument);
		else if (assigns && text_find(argument, '=', 0) < argument.length)
			continue;
		else if (--operands == 0)
			return i;
	}
	return 0;
}

/* Returns whether the argument of `matlab -batch` is program text. Otherwise it is the name of a script. */
static bool is_program_text(struct text argument)
{
	for (size_t i = 0; i < argument.length; i++)
		if (argument.data[i] == '(' || argument.data[i] == ';' || argument.data[i] == '=')
			return true;
	return false;
}

/* Returns the last component of a path. For Snakemake's copy of a rule's script, .snakemake/scripts/tmpXXXXXXXX.NAME,
 * returns NAME. Each X is a random character. */
static struct text script_name(struct text path)
{
	static const char folder[] = ".snakemake/scripts/";
	enum { RANDOM = sizeof "tmpXXXXXXXX." - 1 };
	struct text name = text_basename(path);
	struct text before = {path.data, path.length - name.length};

	if (text_ends(before, folder) && text_starts(name, "tmp") && name.length > RANDOM &&
		name.data[RANDOM - 1] == '.')
		return (struct text){name.data + RANDOM, name.length - RANDOM};
	return name;
}

/* Returns whether the row is for the interpreter of a language. Otherwise it is for a program that runs another script,
 * such as torchrun. */
static bool is_language(const struct interpreter *interpreter)
{
	return interpreter->operands == 0 && (interpreter->inlined.length > 0 || interpreter->named.length > 0);
}

/* Returns the job name of one command line. Sets *next to the index of an inner command line that has a better name, or
 * to 0. If `languages`, only the interpreter of a language can begin an inner command line. */
static struct text name_of(char *const *arguments, int count, bool languages, int *next)
{
	*next = 0;
	if (count <= 0 || arguments[0][0] == '\0')
		return TEXT("unnamed");
	struct text program = text_basename(text_of(arguments[0]));
	if (program.length == 0)
		return text_of(arguments[0]);
	if (program.data[0] == '-' && program.length > 1) /* a login shell */
		program = (struct text){program.data + 1, program.length - 1};
	struct interpreter interpreter;
	struct interpreter other;
	int begin;
	int verb;
	if (!find_interpreter(program, arguments, count, &interpreter, &begin))
		return program;
	if (interpreter.operands > 0) {
		*next = skip_wrapper(&interpreter, arguments, count, begin);
		return program;
	}
	for (int i = begin + 1; i < count; i++) {
		struct text argument = text_of(arguments[i]);
		struct text named = find_option(interpreter.named, argument);
		enum bundle bundle = read_bundle(&interpreter, argument);
		if (bundle == BUNDLE_INLINE || find_option(interpreter.inlined, argument).length > 0)
			return program;
		if (named.length > 0 && named.length < argument.length)
			argument = (struct text){argument.data + named.length, argument.length - named.length};
		else if (named.length > 0 && ++i < count)
			argument = text_of(arguments[i]);
		else if (bundle == BUNDLE_TAKES_NEXT) {
			i++;
			continue;
		} else if (is_option(&interpreter, argument)) {
			i += values_of(&interpreter, argument);
			continue;
		}
		struct text name = script_name(argument);
		/* The script may itself have an interpreter's name, because version managers install such scripts (bash
		 * …/shims/python3 job.py). A module may also run a script (python -m coverage run job.py). In both
		 * cases, the inner command line has a better name. */
		if (argument.data == arguments[i] && find_interpreter(name, arguments + i, count - i, &other, &verb) &&
			(!languages || is_language(&other)))
			*next = i;
		return name.length > 0 && !text_is(name, "-") && !is_program_text(name) ? name : program;
	}
	return program;
}

bool job_is_interpreter(struct text program)
{
	struct interpreter interpreter;
	int begin;

	return find_interpreter(program, NULL, 0, &interpreter, &begin) && interpreter.operands == 0;
}

static struct text innermost(char *const *arguments, int count, bool languages)
{
	for (;;) {
		int next;
		struct text name = name_of(arguments, count, languages, &next);
		if (next <= 0 || next >= count)
			return name;
		arguments += next;
		count -= next;
	}
}

struct text job_name(char *const *arguments, int count)
{
	return innermost(arguments, count, false);
}

struct text job_script(char *const *arguments, int count)
{
	return innermost(arguments, count, true);
}
