import Testing

@testable import Bluetooth

/// The bytes of hexadecimal text; blanks and bars between the fields are left out.
func hex(_ text: String) throws -> [UInt8] {
  try #require(Hex.bytes(text.filter { !" |\n".contains($0) }))
}
