/* A test program that hides a folder by a mount and then starts a shell several times: starts FOLDER HOW CHILD TIMES.
 * HOW is the function that starts the shell. If that function does not make a child, CHILD is fork or vfork. The shell
 * prints its environment if it was given one. The exit status is the status of the last shell. The program prints
 * "grew" if its memory grew by more than 1 MiB. */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT                                                                                                           \
	"seq 3 | wc -l | { read n; test \"$n\" = 3; } || exit 9; /bin/echo \"$OWN${LD_PRELOAD+ $LD_PRELOAD}\"; exit 3"

static char *const words[] = {"sh", "-c", TEXT, NULL};

static long mapped(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file || fscanf(file, "%ld", &pages) != 1)
		exit(124);
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

static void become(const char *how, char *const *own)
{
	if (strcmp(how, "execve") == 0)
		execve("/bin/sh", words, own);
	else if (strcmp(how, "execv") == 0)
		execv("/bin/sh", words);
	else if (strcmp(how, "execvp") == 0)
		execvp("sh", words);
	else if (strcmp(how, "execl") == 0)
		execl("/bin/sh", "sh", "-c", TEXT, "0", "1", "2", "3", "4", "5", (char *)0);
	else if (strcmp(how, "execlp") == 0)
		execlp("sh", "sh", "-c", TEXT, (char *)0);
	else if (strcmp(how, "execle") == 0)
		execle("/bin/sh", "sh", "-c", TEXT, "0", "1", "2", "3", "4", "5", (char *)0, own);
	else if (strcmp(how, "execvpe") == 0)
		execvpe("sh", words, own);
	_exit(125);
}

static int start(const char *how, const char *child, char *const *own)
{
	int status = 0;
	pid_t pid = 0;

	if (strcmp(how, "system") == 0)
		return system(TEXT);
	if (strcmp(how, "popen") == 0) {
		char line[256];
		FILE *pipe = popen(TEXT, "r");
		while (pipe && fgets(line, sizeof line, pipe))
			fputs(line, stdout);
		fflush(stdout);
		return pipe ? pclose(pipe) : -1;
	}
	if (strcmp(how, "posix_spawn") == 0)
		status = posix_spawn(&pid, "/bin/sh", NULL, NULL, words, own);
	else if (strcmp(how, "posix_spawnp") == 0)
		status = posix_spawnp(&pid, "sh", NULL, NULL, words, own);
	else if (strcmp(child, "fork") == 0 && (pid = fork()) == 0)
		become(how, own);
	else if (strcmp(child, "vfork") == 0 && (pid = vfork()) == 0)
		become(how, own);
	return status == 0 && pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

int main(int argc, char **argv)
{
	if (argc < 5 || unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return 2;
	size_t count = 0;
	while (environ[count])
		count++;
	char **own = calloc(count + 2, sizeof *own);
	pid_t pid = fork();
	if (!own || pid < 0)
		return 2;
	if (pid == 0) {
		execlp("mount", "mount", "-t", "tmpfs", "none", argv[1], (char *)0);
		_exit(2);
	}
	int status = 0;
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return 2;
	memcpy(own, environ, count * sizeof *own);
	own[count] = "OWN=own";

	long before = mapped();
	for (int times = atoi(argv[4]); times > 0; times--)
		if ((status = start(argv[2], argv[3], own)) != 3 << 8)
			return 1;
	if (mapped() > before + (1 << 20))
		printf("grew\n");
	return status >> 8;
}
