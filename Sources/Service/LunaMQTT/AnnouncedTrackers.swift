import FileOutput
import LunaJSON
package import LunaProtocol
import Synchronization

/// The file that says which trackers a broker was told of, and under which topics. It outlives the process, so that a
/// tracker that was forgotten meanwhile can be taken back, and nothing that another machine tells under the same topics
/// is. Calls block.
package final class AnnouncedTrackers: Sendable {
  /// Its name in a state directory.
  package static let fileName = "mqtt-announced.json"

  private let path: String
  /// What a broker was told of under these topics: their member of the file.
  private let key: String
  /// What this one has read or written last.
  private let kept = Mutex<Set<DeviceUUID>?>(nil)

  /// - Parameters:
  ///   - directory: where the file is, or will be.
  ///   - broker: its host and port.
  package init(in directory: String, broker: String, _ topics: HomeTopics) {
    path = "\(directory)/\(AnnouncedTrackers.fileName)"
    key = "\(broker) \(topics.base) \(topics.discovery ?? "")"
  }

  /// Those of earlier runs; nil where nobody remembers, or what is kept cannot be read.
  package func read() -> Set<DeviceUUID>? {
    kept.withLock { kept in
      kept = (try? readDocument()).flatMap(trackers(in:))
      return kept
    }
  }

  /// Keeps whom the broker was told of. What another process keeps, for these topics or others, stays.
  ///
  /// - Throws: ``FileInputError`` when what is kept cannot be read, ``FileOutputError`` when it cannot be written.
  package func keep(_ trackers: Set<DeviceUUID>) throws {
    try kept.withLock { kept in
      guard kept != trackers else { return }
      // Nobody else changes it between reading and writing.
      let lock = try FileLock(path + ".lock")
      defer { withExtendedLifetime(lock) {} }
      var document = try readDocument()
      let gone = kept?.subtracting(trackers) ?? []
      let all = (self.trackers(in: document) ?? []).subtracting(gone).union(trackers)
      document.members.removeAll { $0.name == key }
      document.append(key, .array(all.map(\.description).sorted().map { .string($0) }))
      try FileOutput.write(
        JSONValue.object(document).bytes, to: path, replacing: true, isSecret: true)
      kept = trackers
    }
  }

  private func trackers(in document: JSONObject) -> Set<DeviceUUID>? {
    guard case .array(let values)? = document[key] else { return nil }
    return Set(
      values.compactMap { (value: JSONValue) -> DeviceUUID? in
        guard case .string(let text) = value else { return nil }
        return DeviceUUID(text)
      })
  }

  /// What the file holds; nothing where there is none, or where it is something else.
  private func readDocument() throws(FileInputError) -> JSONObject {
    guard let bytes = try FileInput.readOwn(path),
      case .object(let document)? = try? JSONReader.read(bytes)
    else { return JSONObject() }
    return document
  }
}
