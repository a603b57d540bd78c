package import FileOutput
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

  /// Those of earlier runs; nil where nobody remembers.
  package func read() -> Set<DeviceUUID>? {
    kept.withLock { kept in
      kept = trackers(in: document)
      return kept
    }
  }

  /// Keeps whom the broker was told of. What another process keeps for the same topics stays.
  package func keep(_ trackers: Set<DeviceUUID>) throws(FileOutputError) {
    try kept.withLock { kept throws(FileOutputError) in
      guard kept != trackers else { return }
      var document = self.document
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

  /// What the file holds; nothing where it cannot be read.
  private var document: JSONObject {
    guard let bytes = try? FileInput.read(path),
      case .object(let document)? = try? JSONReader.read(bytes)
    else { return JSONObject() }
    return document
  }
}
