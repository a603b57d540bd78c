/// A parameter of Read and Set Default System Configuration, and its value of two bytes.
struct MgmtParameter: Hashable, Sendable {
  /// The LE scan interval for advertisement monitors, in steps of 0.625 ms.
  static let monitorInterval: UInt16 = 0x0013
  /// The LE scan window for advertisement monitors, in steps of 0.625 ms.
  static let monitorWindow: UInt16 = 0x0014

  let type: UInt16
  let value: UInt16

  /// Reads a list of parameters; those of other lengths are left out.
  static func list(_ bytes: [UInt8]) -> [MgmtParameter] {
    let span = bytes.span
    var parameters: [MgmtParameter] = []
    var position = 0
    while bytes.count - position >= 3 {
      let count = Int(bytes[position + 2])
      guard bytes.count - position - 3 >= count else { break }
      if count == 2 {
        parameters.append(
          MgmtParameter(
            type: MgmtPacket.number(span, position), value: MgmtPacket.number(span, position + 3)))
      }
      position += 3 + count
    }
    return parameters
  }

  /// The parameter as it stands in a list.
  var bytes: [UInt8] { MgmtPacket.bytes(type) + [2] + MgmtPacket.bytes(value) }
}
