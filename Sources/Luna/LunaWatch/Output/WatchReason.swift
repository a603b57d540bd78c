/// What speaks for a grade, or against a higher one.
public enum WatchReason: String, Sendable {
  /// It was heard on most of a trip.
  case heardOnTrip
  /// It came along on a trip.
  case madeTrip
  /// It came along on two trips.
  case madeTrips
  /// It came along to three places.
  case threePlaces
  /// It was still there half an hour after a trip to a known place.
  case stayed
  /// It says that its owner is near: it may belong to somebody you live with.
  case nearOwner
  /// It came along on three days, and said each time that its owner is near, which firmware can claim.
  case threeDays
  /// It has been there all the time; where that was is not known.
  case noPlaces
  /// It is new here for three nights.
  case newHere
  /// Identifiers that lived less than three minutes filled the trips.
  case shortLived
}
