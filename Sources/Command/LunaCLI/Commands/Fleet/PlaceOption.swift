import CommandSpec
import LunaFleet

/// A position on a command line: degrees.
struct PlaceOption: Hashable, Sendable {
  let latitude: Double
  let longitude: Double
  var source = Place.Source.given

  static var reader: ValueReader<PlaceOption> {
    ValueReader(expects: "LATITUDE,LONGITUDE in degrees") { text throws(ValueProblem) in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
        (-90...90).contains(latitude), (-180...180).contains(longitude)
      else { throw ValueProblem("is not LATITUDE,LONGITUDE in degrees") }
      return PlaceOption(latitude: latitude, longitude: longitude)
    }
  }
}
