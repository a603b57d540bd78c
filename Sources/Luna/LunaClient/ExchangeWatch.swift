import CCurl
import Synchronization

/// Who looks on while something is sent. It is told on the thread that sends.
package final class ExchangeWatch: Sendable {
  /// Where something went.
  package enum Direction: Character, Sendable {
    case out = ">"
    case inwards = "<"
    /// It is what the library says of its work.
    case aside = "*"
  }

  private let willSend: @Sendable () -> Void
  private let hear: (@Sendable (Direction, [UInt8]) -> Void)?
  private let isOver = Atomic(false)

  /// - Parameters:
  ///   - willSend: is called when the connection stands and the last of the request goes out: from here
  ///     on it may arrive.
  ///   - hear: is told every word; nil when nobody wants to know.
  package init(
    willSend: @escaping @Sendable () -> Void,
    hear: (@Sendable (Direction, [UInt8]) -> Void)? = nil
  ) {
    self.willSend = willSend
    self.hear = hear
  }

  /// Breaks off what is sent, within about a second: nobody wants it any more.
  func breakOff() { isOver.store(true, ordering: .relaxed) }

  /// Lends it to a call of the library.
  static func lend(_ watch: ExchangeWatch?, _ body: (UnsafePointer<ccurl_watch>?) -> Void) {
    guard let watch else { return body(nil) }
    var lent = ccurl_watch()
    lent.context = Unmanaged.passUnretained(watch).toOpaque()
    lent.will_send = { context in ExchangeWatch.watch(context)?.willSend() }
    lent.goes_on = { context in
      ExchangeWatch.watch(context).map { !$0.isOver.load(ordering: .relaxed) } ?? true
    }
    if watch.hear != nil {
      lent.hear = { context, direction, bytes, count in
        let scalar = UnicodeScalar(UInt8(bitPattern: direction))
        guard let hear = ExchangeWatch.watch(context)?.hear,
          let direction = Direction(rawValue: Character(scalar))
        else { return }
        hear(direction, Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      }
    }
    withExtendedLifetime(watch) { withUnsafePointer(to: lent) { body($0) } }
  }

  private static func watch(_ context: UnsafeMutableRawPointer?) -> ExchangeWatch? {
    context.map { Unmanaged<ExchangeWatch>.fromOpaque($0).takeUnretainedValue() }
  }
}
