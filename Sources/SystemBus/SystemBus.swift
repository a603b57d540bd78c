// Filled by this issue.
