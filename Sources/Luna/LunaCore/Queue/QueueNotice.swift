/// Something about a queue that somebody has to be told.
public enum QueueNotice: Hashable, Sendable {
  /// So many events had to go, because it is full.
  case full(Int)
  /// Its file was deleted, replaced or damaged; there is a new one. How many of the events that waited could
  /// not be taken along (nil when nobody knows, after a power cut), and where the file is that was found in its place, or is damaged.
  case renewed(reason: String, lost: Int?, setAside: String?)
  /// Its file was deleted or replaced, and there is no new one yet; it is tried again.
  case homeless(DeviceStoreError)
}
