/// What a fix says of the places that a tracker comes to and leaves.
struct PlaceChanges {
  /// The changes that are confirmed, in the order of the places.
  var crossings: [HomeEngine.Crossing] = []
  /// When the first of those that wait is due, by boot time; the end of time where none waits.
  var next = Int64.max
  /// The same of those that the fix itself has begun or goes on with.
  var due = Int64.max
}
