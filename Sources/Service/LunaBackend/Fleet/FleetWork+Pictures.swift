import Bluetooth
import LunaFleet

extension FleetWork {
  /// Keeps a picture; one that is there already is kept once.
  func add(_ picture: FleetPicture, hash: String) throws(FleetFailure) {
    let known = try rows("SELECT 1 FROM luna.pictures WHERE hash = $1", [.text(hash)])
    guard known.isEmpty else { return }
    let count = try rows("SELECT count(*) FROM luna.pictures").first?.integer(0) ?? 0
    guard count < Int64(FleetPicture.limit) else {
      throw .refused(.limit("there are \(FleetPicture.limit) pictures already"))
    }
    try run(
      "INSERT INTO luna.pictures(hash, type, data, created) VALUES($1, $2, $3, $4)",
      [
        .text(hash), .text(picture.format.rawValue), .bytes(picture.bytes),
        .integer(time.microseconds),
      ])
  }

  /// The type and the bytes of a picture.
  func picture(_ hash: String) throws(FleetFailure) -> (type: String, bytes: [UInt8])? {
    try rows("SELECT type, data FROM luna.pictures WHERE hash = $1", [.text(hash)]).first.map {
      ($0.text(0), $0.bytes(1))
    }
  }

  /// Refuses a picture that is not kept.
  func checkPicture(_ hash: String?) throws(FleetFailure) {
    guard let hash else { return }
    let known = try rows("SELECT 1 FROM luna.pictures WHERE hash = $1", [.text(hash)])
    guard known.isEmpty else { return }
    throw .refused(
      .error(FleetError(.fieldValue, "picture is the hash of no picture here", field: "picture")))
  }
}
