import Foundation
import LunaCore
import LunaCrypto
import LunaTesting
import Testing

@testable import LunaStore

@Suite("Passphrases in files")
struct PassphraseFileTests {
  private let folder = TestFolder()

  private func file(_ text: String) throws -> String {
    let path = "\(folder.path)/passphrase"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("A line break at the end does not belong to it")
  func endsBeforeTheLineBreak() throws {
    let passphrase = try PassphraseFile.read(try file("two words\r\n"))
    #expect(passphrase == SecretBytes(copying: Array("two words".utf8).span))
  }

  @Test("Without any, the store stays locked")
  func tellsWhatIsMissing() throws {
    let path = try file("\n")
    let empty = #expect(throws: DeviceStoreError.self) { try PassphraseFile.read(path) }
    #expect(empty?.kind == .locked)
    let missing = #expect(throws: DeviceStoreError.self) {
      try PassphraseFile.read(path + "-that-is-not-there")
    }
    #expect(missing?.kind == .locked)
  }
}
