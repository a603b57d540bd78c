// Files that are mapped into the memory of this process.
#pragma once

// From now on the process ends with a status, and one line on the error output, when somebody has cut a
// file that it has mapped and whose name ends so: what is touched behind the end of such a file is a
// SIGBUS. The line is "luna: FILE TEXT" (15 and 159 bytes at most). Every other SIGBUS is what it was before.
// To be called once, before other threads run.
void luna_end_on_cut_file(const char *ending, const char *text, int status);
