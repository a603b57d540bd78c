import Foundation
import LunaCore
import LunaCrypto
import LunaStore
import LunaTesting
import Testing

/// Secrets in files of their own.
struct SecretFileTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func bytes(_ secret: SecretBytes) -> [UInt8] {
    secret.withBytes { span in span.indices.map { span[$0] } }
  }

  @Test func lastsAndIsNobodyElses() throws {
    let first = bytes(try place.state.secret("k", count: 32))
    #expect(first.count == 32 && Set(first).count > 1)
    #expect(bytes(try place.state.secret("k", count: 32)) == first)
    #expect(bytes(try place.state.secret("other", count: 32)) != first)
    #expect(try place.mode(place.state.path + "/k") == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.state.path).sorted() == [
        "k", "other",
      ])
  }

  @Test(arguments: [Data(), Data(count: 31), Data(count: 33)])
  func isNotWhatSomebodyElseWrote(data: Data) throws {
    _ = try place.state.secret("other", count: 32)
    try data.write(to: URL(fileURLWithPath: place.state.path + "/k"))
    let error = #expect(throws: DeviceStoreError.self) {
      try place.state.secret("k", count: 32)
    }
    #expect(error?.kind == .damaged)
  }

  @Test func saysWhyThereIsNone() {
    #expect(throws: DeviceStoreError.self) {
      try StateDirectory(path: "/proc/none").secret("k", count: 32)
    }
  }
}
