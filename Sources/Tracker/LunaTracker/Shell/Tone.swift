import Glibc

/// The sound of a tracker as a WAV file: beeps, 16 bits, one channel.
public enum Tone {
  /// Samples a second.
  public static let rate = 16_000
  /// Hz: where the small buzzers of trackers are loudest.
  private static let frequency = 2_700.0
  /// A beep and the pause behind it, samples.
  private static let beat = (sound: rate / 5, pause: rate * 3 / 10)

  /// The bytes of a file.
  ///
  /// - Parameter seconds: how long it sounds, 1 to 60.
  public static func file(seconds: Int) -> [UInt8] {
    let count = min(max(seconds, 1), 60) * rate
    let period = beat.sound + beat.pause
    let step = 2 * Double.pi * frequency / Double(rate)
    var data: [UInt8] = []
    data.reserveCapacity(2 * count)
    // One beep, which is all that there is to compute.
    let beep = (0..<period).map { index -> Int16 in
      guard index < beat.sound else { return 0 }
      // 10 ms to rise and to fall, against clicks.
      let ramp = min(1, Double(min(index, beat.sound - index)) / Double(rate / 100))
      return Int16(0.7 * Double(Int16.max) * ramp * sin(step * Double(index)))
    }
    for index in 0..<count {
      let sample = UInt16(bitPattern: beep[index % period])
      data.append(UInt8(truncatingIfNeeded: sample))
      data.append(UInt8(sample >> 8))
    }
    return header(byteCount: data.count) + data
  }

  /// RIFF, WAVE, a chunk "fmt " that says PCM, and the head of the chunk "data".
  private static func header(byteCount: Int) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("RIFF".utf8) + bytes(36 + byteCount, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
      + bytes(1, 2) + bytes(1, 2) + bytes(rate, 4) + bytes(2 * rate, 4) + bytes(2, 2)
      + bytes(16, 2) + Array("data".utf8) + bytes(byteCount, 4)
  }
}
