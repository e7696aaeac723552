/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of rtrack-report. Most have a file of their own. Each returns the exit status of the program. */
#ifndef RTRACK_REPORT_COMMANDS_COMMANDS_H
#define RTRACK_REPORT_COMMANDS_COMMANDS_H

#include "report/model/group.h"
#include "report/commands/options.h"
#include "report/say/exit.h"
#include "report/spool/run.h"

int list_command(const struct options *options, const char *spool);
int list_trend_command(const struct options *options, const char *spool);
int prune_command(const struct options *options, const char *spool);
int waste_command(const struct options *options, const char *spool);
int sql_command(const struct options *options, const char *spool);
int discover_command(const struct options *options, const char *spool);
int doctor_command(const struct options *options, const char *spool);
/* The commands show, stats, html and recommend, each for one run or a --group. NAME_wish returns the parts of the model
 * that the command needs. NAME_model prints the model of one run, or of several runs presented as one. */
int model_command(const struct options *options, const struct run *run);
int group_command(const struct options *options, const char *spool);
struct model_wish show_wish(const struct options *options);
int show_model(const struct options *options, const struct model *model);
struct model_wish stats_wish(const struct options *options);
int stats_model(const struct options *options, const struct model *model);
struct model_wish html_wish(const struct options *options);
int html_model(const struct options *options, const struct model *model);
struct model_wish recommend_command_wish(const struct options *options);
int recommend_model(const struct options *options, const struct model *model);
int compare_command(const struct options *options, const char *spool);
int import_command(const struct options *options, const char *spool);
int recommend_all_command(const struct options *options, const char *spool);
int recommend_history_command(const struct options *options);
int watch_command(const struct options *options, const struct run *run);
/* Runs html --all or html --job. */
int html_all_command(const struct options *options, const char *spool);
int export_parquet_command(const struct options *options, const char *spool);
int export_jobs_command(const struct options *options, const char *spool);
int ship_all_command(const struct options *options, const char *spool);
int ship_command(const struct options *options, const struct run *run);
int export_command(const struct options *options, const struct run *run);

#endif
