/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a notebook that code lines belong to.
 *
 * ipykernel compiles each cell under the name of a file, such as /tmp/ipykernel_77/658171309.py, that does not exist.
 * The number is a hash of the cell's text. Therefore the notebook shows which cell it was. */
#ifndef RTRACK_REPORT_MODEL_NOTEBOOK_CELLS_H
#define RTRACK_REPORT_MODEL_NOTEBOOK_CELLS_H

#include "report/model/code.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"

/* Sets the field `cell` of the lines and functions in `code`, and the field `text` of the lines. The notebook is a file
 * of the run's owner that the run's job or the command line of a process names. The number of a cell that was not
 * executed in the notebook itself is its position among the cells with code. */
void notebook_cells_find(struct code *code, const struct processes *processes, const struct run *run);

#endif
