import CLinux
import UplinkProtocol

extension FlowCounters {
  /// What the kernel knows of a connection over TCP; nil where it does not tell.
  init?(of socket: Int32) {
    var counters = luna_tcp_counters()
    guard luna_read_tcp_counters(socket, &counters) == 0 else { return nil }
    let roundTrip = counters.least_round_trip
    self.init(
      acknowledged: Int(counters.acknowledged), sent: Int(counters.sent),
      retransmitted: Int(counters.retransmitted), packets: Int(counters.segments),
      leastRoundTrip: roundTrip > 0 ? Double(roundTrip) / 1e6 : nil,
      selected: Int(counters.selected * counters.sent_size),
      received: (packets: Int(counters.received), size: Int(counters.received_size)),
      came: Int(counters.came))
  }
}
