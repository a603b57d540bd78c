import CBoard
import LunaCrypto
import LunaProtocol
import TrackerBoard
import TrackerMachine

/// The program of a board: a loop around a ``TrackerBoard``, which sleeps whenever nothing is due. It lies in the heap, and
/// what it does is not made one with its loop: then the copies that are made meanwhile would lie on the stack for ever.
@main final class Firmware {
  /// From one measurement of the battery to the next, ms; made when the board is awake anyway.
  private static let batteryInterval: Int64 = 3_600_000
  /// How long a board that cannot go on waits before it starts again, ms.
  private static let pause: Int64 = 10_000
  /// How its clock runs: in firmware for tests as fast as `--speed 40` of the command wants.
  private static var oscillator: TrackerMachine.Oscillator {
    #if LUNA_FAST
      TrackerMachine.Oscillator(speed: 40)
    #else
      TrackerMachine.Oscillator()
    #endif
  }

  /// What the board has; with its buzzer it sounds for strangers, too.
  private static var hardware: TrackerHardware {
    var capabilities = TrackerCapabilities(rawValue: luna_capabilities)
    if capabilities.contains(.buzzer) { capabilities.insert(.nonOwnerSound) }
    return TrackerHardware(capabilities: capabilities)
  }

  private typealias Board = TrackerBoard<BoardFlash, BoardGenerator>

  private var board: Board
  private var buffer = [UInt8](repeating: 0, count: 256)
  private var wasDown = false
  private var batteryAt: Int64 = 0

  private init(_ board: Board) { self.board = board }

  static func main() {
    luna_watchdog_start(UInt32(Watchdog.timeout))
    make().run()
  }

  @inline(never) private static func make() -> Firmware {
    guard let generator = makeGenerator() else { stop(.entropy) }
    do throws(BoardFault) {
      return Firmware(
        try Board(
          flash: BoardFlash(), hardware: hardware, oscillator: oscillator, using: generator))
    } catch { stop(error) }
  }

  /// Since power-on, ms.
  private static var uptime: Int64 { Int64(luna_microseconds() / 1000) }

  /// nil where the board's source of entropy is not to be trusted: then there are no keys.
  @inline(never) private static func makeGenerator() -> BoardGenerator? {
    var bytes = [UInt8](repeating: 0, count: BoardGenerator.entropyCount)
    defer { wipe(&bytes) }
    let isThere = bytes.withUnsafeMutableBufferPointer { bytes in
      luna_entropy(bytes.baseAddress, bytes.count)
    }
    return isThere ? BoardGenerator(entropy: bytes.span) : nil
  }

  private func run() -> Never {
    start()
    while true {
      luna_sleep_until(UInt64(max(0, board.deadline ?? 0)) * 1000)
      turn(at: Firmware.uptime)
    }
  }

  @inline(never) private func start() {
    var clock: Int64 = 0
    var note: UInt32 = 0
    let isKept = luna_clock(&clock, &note)
    wasDown = luna_button()
    Firmware.perform(
      board.start(
        at: Firmware.uptime, clock: isKept ? clock : nil, note: RestartNote(rawValue: note),
        isButtonDown: wasDown), isRunning: false)
  }

  /// Looks at everything once.
  @inline(never) private func turn(at uptime: Int64) {
    // Now, too: nothing comes back from what starts the board again.
    keepClock(at: uptime)
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
      luna_hci_receive(buffer.baseAddress, buffer.count)
    }
    if count > 0 {
      let received = buffer
      Firmware.perform(board.receive(received.span.extracting(first: count), at: uptime))
    }
    // Before the button, which some consoles press.
    answer(luna_console_read(), at: uptime)
    let isDown = luna_button()
    if isDown != wasDown {
      wasDown = isDown
      Firmware.perform(board.press(isDown, at: uptime))
    }
    if uptime >= batteryAt { measure(at: uptime) }
    Firmware.perform(board.tick(at: uptime))
    keepClock(at: uptime)
  }

  /// Until the next time: who is reset meanwhile finds a clock that is behind.
  private func keepClock(at uptime: Int64) {
    if let clock = board.clock(at: uptime) { luna_keep_clock(clock, board.note.rawValue) }
  }

  private func measure(at uptime: Int64) {
    batteryAt = uptime + Firmware.batteryInterval
    Firmware.perform(board.measure(millivolts: Int(luna_battery()), at: uptime))
  }

  private func answer(_ byte: Int32, at uptime: Int64) {
    guard byte >= 0 else { return }
    if byte == 0x6D {
      Firmware.write(memoryLine)
    } else {
      // Who asks for the state is not told how the battery was an hour ago.
      if byte == 0x73 { measure(at: uptime) }
      Firmware.perform(board.answer(UInt8(truncatingIfNeeded: byte)))
    }
  }

  private static func perform(_ actions: [BoardAction], isRunning: Bool = true) {
    for action in actions {
      switch action {
      case .send(let packet):
        packet.withUnsafeBufferPointer { luna_hci_send($0.baseAddress, $0.count) }
      case .sound(let isOn): luna_sound(isOn)
      case .light(let isOn): luna_light(isOn)
      case .write(let line): write(line)
      case .feed: luna_watchdog_feed()
      case .restart: rest(isRunning: isRunning)
      }
    }
  }

  private static func write(_ line: [UInt8]) {
    line.withUnsafeBufferPointer { luna_console_write($0.baseAddress, $0.count) }
  }

  /// What `m` on the console asks for: the bytes of the heap that are taken, and the most that ever were.
  private var memoryLine: [UInt8] {
    var line = Array("memory used=".utf8)
    line += digits(luna_heap_used())
    line += Array(" peak=".utf8)
    line += digits(luna_heap_peak())
    line += [0x0D, 0x0A]
    return line
  }

  private func digits(_ number: Int) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number
    repeat {
      digits.insert(0x30 + UInt8(truncatingIfNeeded: rest % 10), at: 0)
      rest /= 10
    } while rest > 0
    return digits
  }

  /// A board that cannot even begin.
  private static func stop(_ fault: BoardFault) -> Never {
    var line = Array("fault ".utf8)
    line += Array(fault.word.utf8)
    line += [0x0D, 0x0A]
    write(line)
    rest(isRunning: false)
  }

  /// Waits, with its light on, and starts again.
  ///
  /// - Parameter isRunning: whether the clock was kept just now; otherwise it is as good as it was at the start.
  private static func rest(isRunning: Bool) -> Never {
    luna_light(true)
    let end = uptime + pause
    while uptime < end { luna_sleep_until(UInt64(end) * 1000) }
    // The clock has gone on meanwhile.
    var clock: Int64 = 0
    var kept: UInt32 = 0
    if luna_clock(&clock, &kept) {
      var note = RestartNote(rawValue: kept).union(.hadFault)
      if isRunning { note.insert(.clockIsExact) }
      luna_keep_clock(clock &+ pause * oscillator.speed, note.rawValue)
    }
    luna_restart()
  }
}
