/* The figures of `show`: what a run used, each with what it is to be judged by. */
#ifndef RTRACK_REPORT_TEXT_SHOW_USED_H
#define RTRACK_REPORT_TEXT_SHOW_USED_H

#include "report/text/show_line.h"

void show_cpu(const struct show_view *view);
void show_memory(const struct show_view *view);
void show_gpus(const struct show_view *view);
void show_traffic(const struct show_view *view);
void show_energy(const struct show_view *view);
void show_others(const struct show_view *view);
void show_processes(const struct show_view *view);
void show_tracker(const struct show_view *view);
void show_place(const struct show_view *view);

#endif
