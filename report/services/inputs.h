/* How much the run to come is given to read: as sampler/run/make.c has it of a run that starts, but in no hurry, and of
 * files on a network as well. */
#ifndef RTRACK_REPORT_SERVICES_INPUTS_H
#define RTRACK_REPORT_SERVICES_INPUTS_H

/* Of a list (text_item_end) of files, directories and globs; UNKNOWN when no file is there. */
double inputs_bytes(const char *named);

#endif
