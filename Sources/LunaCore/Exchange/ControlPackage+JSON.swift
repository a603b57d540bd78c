public import LunaJSON
public import LunaProtocol

extension ControlPackage {
  /// Reads a package (PROTOCOL.md, 12.4). `data` decides; other members that are there have to agree
  /// with it.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "controlPackage")
    let text = try reader.required("data", try reader.string("data"))
    guard let package = ControlPackage(text) else {
      throw ExchangeError("data", "data is not \(ControlPackage.byteCount) bytes in base64")
    }
    self = package
    let heid = try reader.heid("heid")
    let period = try reader.integer("keyRollingCounter", 0...UInt32.max)
    let command = try reader.string("command")
    let argument = try reader.integer("argument", 0...UInt16.max)
    let counter = try reader.integer("counter", 0...UInt32.max)
    for (name, agrees) in [
      ("heid", heid == nil || heid == package.heid),
      ("keyRollingCounter", period == nil || period == package.reference),
      ("command", command == nil || command == package.command?.name),
      ("argument", argument == nil || argument == package.argument),
      ("counter", counter == nil || counter == package.counter),
    ] where !agrees {
      throw ExchangeError(name, "\(name) is not what data says")
    }
  }

  /// The members of a deferred package.
  public var json: JSONObject {
    var object: JSONObject = [
      "heid": .string(heid.description), "keyRollingCounter": .integer(Int64(reference)),
    ]
    if let command { object.append("command", .string(command.name)) }
    object.append("argument", .integer(Int64(argument)))
    object.append("counter", .integer(Int64(counter)))
    object.append("data", .string(text))
    return object
  }
}
