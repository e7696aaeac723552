/* The commands, each in a file of its own. Each returns the program's exit status. */
#ifndef RTRACK_REPORT_COMMANDS_COMMANDS_H
#define RTRACK_REPORT_COMMANDS_COMMANDS_H

#include "report/model/group_whole.h"
#include "report/commands/options.h"
#include "report/say/exit.h"
#include "report/spool/run.h"

int list_command(const struct options *options, const char *spool);
int prune_command(const struct options *options, const char *spool);
int waste_command(const struct options *options, const char *spool);
int sql_command(const struct options *options, const char *spool);
int discover_command(const struct options *options, const char *spool);
int doctor_command(const struct options *options, const char *spool);
/* show, stats, html or recommend of a --group; those that take the group as one run. */
int group_command(const struct options *options, const char *spool);
int show_group(const struct options *options, struct group *group, struct whole *whole);
int html_group(const struct options *options, struct group *group, struct whole *whole);
int recommend_group(const struct options *options, const struct group *group, const struct whole *whole);
int compare_command(const struct options *options, const char *spool);
int import_command(const struct options *options, const char *spool);
int show_command(const struct options *options, const struct run *run);
int stats_command(const struct options *options, const struct run *run);
int recommend_command(const struct options *options, const struct run *run);
int recommend_all_command(const struct options *options, const char *spool);
int recommend_history_command(const struct options *options);
int watch_command(const struct options *options, const struct run *run);
int html_command(const struct options *options, const struct run *run);
/* html --all, and html --job */
int html_all_command(const struct options *options, const char *spool);
int export_parquet_command(const struct options *options, const char *spool);
int ship_all_command(const struct options *options, const char *spool);
int ship_command(const struct options *options, const struct run *run);
int export_command(const struct options *options, const struct run *run);

#endif
