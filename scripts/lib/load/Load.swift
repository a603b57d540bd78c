import Glibc

/// Uploads made-up events to a backend over some connections, and says how many it took and how fast.
///
///     luna-load PORT TOKEN CONNECTIONS SECONDS EVENTS-PER-BATCH [BATCHES-PER-SECOND]
///
/// Prints a JSON object. Without a rate every connection sends as fast as it is answered; with one,
/// the time of an answer counts from when its batch should have been sent.
@main
struct Load {
  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 6, let port = UInt16(words[1]), let connections = Int(words[3]),
      let seconds = Double(words[4]), let batch = Int(words[5])
    else {
      print("usage: luna-load PORT TOKEN CONNECTIONS SECONDS EVENTS-PER-BATCH [BATCHES-PER-SECOND]")
      exit(2)
    }
    let rate = words.count > 6 ? Double(words[6]) : nil
    let clients = (0..<connections).map { index in
      Client(
        port: port, token: words[2], batch: batch, seconds: seconds,
        interval: rate.map { Double(connections) / $0 },
        start: rate.map { Double(index) / $0 } ?? 0)
    }
    let threads = clients.map(start)
    for thread in threads { pthread_join(thread, nil) }
    let times = clients.flatMap(\.times).sorted()
    let events = clients.reduce(0) { $0 + $1.accepted }
    let elapsed = clients.map(\.elapsed).max() ?? 1
    func quantile(_ part: Double) -> Double {
      times.isEmpty ? 0 : times[min(times.count - 1, Int(part * Double(times.count)))] * 1000
    }
    func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
    print(
      "{\"eventsPerSecond\":\(Int(Double(events) / elapsed)),\"events\":\(events),"
        + "\"connections\":\(connections),\"failures\":\(clients.reduce(0) { $0 + $1.failures }),"
        + "\"p50\":\(rounded(quantile(0.5))),\"p99\":\(rounded(quantile(0.99))),"
        + "\"max\":\(rounded(quantile(1)))}")
  }

  /// Not of the main actor, as its thread is not.
  private nonisolated static func start(_ client: Client) -> pthread_t {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Client>.fromOpaque(context).takeUnretainedValue().run() }
        return nil
      }, Unmanaged.passUnretained(client).toOpaque())
    return thread
  }
}
