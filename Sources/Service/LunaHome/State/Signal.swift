struct Signal: Hashable, Sendable, Codable {
  let boot: Int64
  let rssi: Int
}
