/// How much data replays take on the link, headers included, both ways together.
package enum ReplayVolume {
  /// What headers and acknowledgements add to full segments, percent.
  private static let overhead = 8
  /// What a packet of the recording adds, however small: a segment, its acknowledgement.
  private static let packet = 140
  /// What is said beside the data, with TLS: the side channel, one's own address, the results.
  package static let conversation = 40_000

  /// What a replay takes that moved so many bytes of data.
  package static func bytes(_ data: Int, of recording: Recording) -> Int64 {
    let packets =
      switch recording.packets {
      case .tcp(let requests): requests.count
      case .udp(let datagrams): datagrams.count
      }
    // A recording holds 100,000 answers of 1 GiB at most.
    return Int64(data + data / 100 * overhead + packets * packet + conversation)
  }

  /// What a replay will take; nil over UDP, where only the server knows what it sends.
  package static func expected(_ recording: Recording) -> Int64? {
    recording.answeredBytes.map { bytes($0 + recording.sentBytes, of: recording) }
  }
}
