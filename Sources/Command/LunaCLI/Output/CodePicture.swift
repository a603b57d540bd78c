import QRCodes

/// QR codes as pictures in files, of the kind that the name of the file ends in.
enum CodePicture {
  /// What is written into a file: SVG where its name ends in that, else PNG.
  ///
  /// - Parameters:
  ///   - code: nil where none could be made.
  ///   - png: what draws a PNG, nil where it cannot.
  static func bytes(
    of code: QRCode?, for file: String, title: String, lines: [String] = [],
    png: (QRCode) -> [UInt8]? = { $0.png() }
  ) throws(CommandFailure) -> [UInt8] {
    guard let code else {
      throw CommandFailure(
        .lost, "no code can be drawn without libqrencode", hint: "apt install libqrencode4")
    }
    if file.hasSuffix(".svg") { return Array(code.svg(title: title, lines: lines).utf8) }
    guard let picture = png(code) else {
      throw CommandFailure(
        .lost, "there is not enough memory to draw the code", hint: "write an .svg")
    }
    return picture
  }
}
