/// What facts mean: for every check a function that takes what was read and returns what is to be said
/// of it. Nothing here reads anything.
enum Judgement {}
