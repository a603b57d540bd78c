public import LunaJSON
public import LunaProtocol

extension ControlPackage {
  /// Reads a deferred package (PROTOCOL.md, 12.4). `data` decides; one whose other members differ
  /// from it is refused.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the control package")
    guard let package = ControlPackage(try members.string("data")) else {
      throw FormatError("data", "is not 44 bytes in base64")
    }
    guard package.format == .deferred, let command = package.command,
      command.isAllowed(in: .deferred, argument: package.argument)
    else { throw FormatError("data", "is no deferred package") }
    let numbers: ClosedRange<Int64> = 0...Int64(UInt32.max)
    let (heid, name) = (try members.heid("heid"), try members.string("command"))
    let counters = [
      try members.integer("keyRollingCounter", in: numbers),
      try members.integer("argument", in: numbers), try members.integer("counter", in: numbers),
    ]
    let isTheSame =
      heid == package.heid && name == command.name
      && counters == [Int64(package.reference), Int64(package.argument), Int64(package.counter)]
    guard isTheSame else { throw FormatError("data", "differs from the other members") }
    self = package
  }

  /// The package as JSON.
  public var json: JSONValue {
    [
      "heid": .string(heid.description), "keyRollingCounter": .integer(Int64(reference)),
      "command": .string(command?.name ?? "unknown"), "argument": .integer(Int64(argument)),
      "counter": .integer(Int64(counter)), "data": .string(text),
    ]
  }
}
