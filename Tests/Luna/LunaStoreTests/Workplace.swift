import Foundation
import LunaCore
import LunaStore

/// A directory that goes with this value, and what a store puts there.
final class Workplace {
  let path: String

  init() throws {
    let template = NSTemporaryDirectory() + "luna-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
    path = template
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A state directory in it that does not exist yet.
  var state: StateDirectory { StateDirectory(path: path + "/state/luna") }
  var file: String { "\(state.path)/\(SQLiteDeviceStore.defaultFileName)" }

  func store() throws -> SQLiteDeviceStore { try SQLiteDeviceStore(in: state) }

  func contents() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }

  func replaceContents(_ data: Data) throws {
    try data.write(to: URL(fileURLWithPath: file))
  }

  func mode(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
  }
}

/// The error of an operation that must fail with one.
func storeError(_ work: () async throws -> Void) async -> DeviceStoreError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? DeviceStoreError
  }
}
