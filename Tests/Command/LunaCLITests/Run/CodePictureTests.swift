import QRCodes
import Testing

@testable import LunaCLI

@Suite struct CodePictureTests {
  @Test func saysWhatIsMissing() {
    let error = #expect(throws: CommandFailure.self) {
      try CodePicture.bytes(of: nil, for: "label.png", title: "Label")
    }
    #expect(error?.code == .lost)
    #expect(error?.reason.contains("libqrencode") == true)
  }

  /// A picture that cannot be drawn makes no empty file.
  @Test func drawsThePictureOrNone() throws {
    let code = try #require(QRCode("LUNA", level: .low), "libqrencode is not installed")
    let png = try CodePicture.bytes(of: code, for: "label.png", title: "Label")
    #expect(png.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    let svg = try CodePicture.bytes(of: code, for: "a.svg", title: "Label") { _ in nil }
    #expect(String(decoding: svg, as: UTF8.self).hasPrefix("<svg"))
    let error = #expect(throws: CommandFailure.self) {
      try CodePicture.bytes(of: code, for: "label.png", title: "Label") { _ in nil }
    }
    #expect(error?.code == .lost)
  }
}
