import Testing

@testable import LunaFleet

/// Files are made byte by byte: what is in them stands here.
@Suite struct PictureTests {
  static let secret = Array("52.5200066N13.404954E".utf8)

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }

  private static func tiff(orientation: UInt8, big: Bool = true) -> [UInt8] {
    let entries: [UInt8] =
      big
      ? [
        0, 2, 0x01, 0x0E, 0, 2, 0, 0, 0, 21, 0, 0, 0, 38, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0,
        orientation, 0, 0, 0, 0, 0, 0,
      ]
      : [
        2, 0, 0x0E, 0x01, 2, 0, 21, 0, 0, 0, 38, 0, 0, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation,
        0, 0, 0, 0, 0, 0, 0,
      ]
    return (big ? [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8] : [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]) + entries
      + secret
  }

  private static let frame: [UInt8] = [8, 0, 16, 0, 32, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  private static let pixels: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]

  static func jpeg(
    orientation: UInt8 = 6, big: Bool = true, frame: [UInt8] = frame, tail: [UInt8] = []
  ) -> [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 2, 2] + secret)
    file += segment(0xE1, Array("Exif\0\0".utf8) + tiff(orientation: orientation, big: big))
    file += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret)
    file += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 7, 7, 7])
    file += segment(0xE2, Array("MPF\0".utf8) + secret)
    file += segment(0xED, Array("Photoshop 3.0\0".utf8) + secret)
    file += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + secret)
    file += segment(0xFE, secret)
    file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += segment(0xC0, frame) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + pixels
    return file + [0xFF, 0xD9] + tail
  }

  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    return big(UInt32(body.count)) + Array(name.utf8) + body
      + big(CRC32.checksum(Array(name.utf8) + body))
  }

  static func png(width: UInt32 = 32, extra: [UInt8] = [], tail: [UInt8] = []) -> [UInt8] {
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: width >> $0) } + [0, 0, 0, 16]
    var file = PNGPicture.signature + chunk("IHDR", size + [8, 2, 0, 0, 0])
    file +=
      chunk("iCCP", Array("p\0\0".utf8) + [1, 2]) + chunk("eXIf", tiff(orientation: 3, big: false))
    file +=
      chunk("tEXt", Array("Comment\0".utf8) + secret) + chunk("zTXt", secret)
      + chunk("iTXt", secret)
    file += chunk("tIME", [7, 0xE8, 1, 1, 1, 1, 1]) + extra
    file += chunk("IDAT", [1, 2, 3]) + chunk("IDAT", [4]) + chunk("tEXt", secret)
    return file + chunk("IEND", []) + tail
  }

  private static func riff(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: body.count >> $0) }
    return Array(name.utf8) + length + body + (body.count % 2 == 1 ? [0] : [])
  }

  static func webp(extra: [UInt8] = [], flags: UInt8 = 0x3C, width: UInt8 = 31) -> [UInt8] {
    let image: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 32, 0, 16, 0, 9, 9, 9]
    var content = Array("WEBP".utf8) + riff("VP8X", [flags, 0, 0, 0, width, 0, 0, 15, 0, 0])
    content += riff("ICCP", [1, 2, 3]) + riff("ALPH", [5]) + extra + riff("VP8 ", image)
    content += riff("EXIF", Array("Exif\0\0".utf8) + tiff(orientation: 8)) + riff("XMP ", secret)
    return riff("RIFF", content + riff("JUNK", secret))
  }

  private static func holdsSecret(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: secret) }
  }

  @Test(arguments: [jpeg(), jpeg(big: false), png(), webp()])
  func keepsNothingButWhatIsShown(_ file: [UInt8]) throws {
    #expect(Self.holdsSecret(file))
    let picture = try FleetPicture(stripping: file)
    #expect(!Self.holdsSecret(picture.bytes))
    #expect(picture.width == 32 && picture.height == 16)
    // Nothing is left to be dropped, and what stays is the same the next time.
    #expect(try FleetPicture(stripping: picture.bytes).bytes == picture.bytes)
  }

  @Test func keepsOrientationAndProfile() throws {
    let jpeg = try FleetPicture(stripping: Self.jpeg()).bytes
    let head =
      Array("Exif\0\0".utf8)
      + (try #require(PictureOrientation(tiff: Self.tiff(orientation: 6)[...]))).tiff
    #expect(jpeg.indices.contains { jpeg[$0...].starts(with: head) })
    #expect(jpeg.indices.contains { jpeg[$0...].starts(with: "ICC_PROFILE\0".utf8) })
    #expect(jpeg.indices.contains { jpeg[$0...].starts(with: Self.pixels) })
    let upright = try FleetPicture(stripping: Self.jpeg(orientation: 1)).bytes
    #expect(!upright.indices.contains { upright[$0...].starts(with: "Exif".utf8) })
    let png = try FleetPicture(stripping: Self.png()).bytes
    for name in ["iCCP", "eXIf", "IDAT"] {
      #expect(png.indices.contains { png[$0...].starts(with: name.utf8) }, "\(name)")
    }
    let webp = try FleetPicture(stripping: Self.webp()).bytes
    for name in ["VP8X\u{0A}", "ICCP", "ALPH", "EXIF"] {
      #expect(webp.indices.contains { webp[$0...].starts(with: name.utf8) }, "\(name)")
    }
    // Profile, alpha and Exif, and no XMP.
    #expect(webp[20] == 0x38)
  }

  @Test func refuses() throws {
    func code(_ file: [UInt8]) -> FleetError.Code? {
      do throws(FleetError) {
        _ = try FleetPicture(stripping: file)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code([]) == .pictureType)
    #expect(code(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == .pictureType)
    #expect(code(Array("GIF89a".utf8)) == .pictureType)
    #expect(code(Array("<script>".utf8) + Self.jpeg()) == .pictureType)
    #expect(code([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 768 << 10)) == .pictureTooLarge)
    for tail in [[0], Array("PK\u{3}\u{4}".utf8), Self.png()] {
      #expect(code(Self.jpeg(tail: tail)) == .pictureTrailing)
      #expect(code(Self.png(tail: tail)) == .pictureTrailing)
      #expect(code(Self.webp() + tail) == .pictureTrailing)
    }
    // 65,535 × 65,535 and 2³¹ pixels in a few bytes.
    #expect(code(Self.jpeg(frame: [8, 255, 255, 255, 255, 1, 1, 0x11, 0])) == .picturePixels)
    #expect(code(Self.png(width: 0x7FFF_FFFF)) == .picturePixels)
    #expect(code(Self.png(width: 0)) == .pictureDamaged)
    #expect(
      code(Self.png(extra: Self.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]))) == .pictureAnimated)
    #expect(code(Self.webp(flags: 0x02)) == .pictureAnimated)
    #expect(code(Self.webp(extra: Self.riff("ANMF", [0]))) == .pictureAnimated)
    #expect(code(Self.webp(width: 30)) == .pictureDamaged)
    #expect(code(Self.png(extra: Self.chunk("ABCD", []))) == .pictureDamaged)
    var damaged = Self.png()
    damaged[20] ^= 1
    #expect(code(damaged) == .pictureDamaged)
    // Every beginning of a file is refused.
    for file in [Self.jpeg(), Self.png(), Self.webp()] {
      for count in 0..<file.count { #expect(code(Array(file.prefix(count))) != nil, "\(count)") }
    }
  }

  @Test func hundredThousandMutatedFilesNeverTrap() throws {
    let files = [Self.jpeg(), Self.png(), Self.webp(), Self.jpeg(big: false)]
    var mutations = Mutations(seed: 3)
    for index in 0..<100_000 {
      var file = files[index % files.count]
      mutations.change(&file)
      guard let picture = try? FleetPicture(stripping: file) else { continue }
      if try FleetPicture(stripping: picture.bytes).bytes != picture.bytes {
        Issue.record("what was stripped is stripped to something else")
      }
    }
  }
}
