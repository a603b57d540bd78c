import Bluetooth

/// The first JSON line of a stream.
enum StartLine {
  /// The version of the vocabulary of all JSON lines: it changes when a field is renamed or means
  /// something else, not when one is added.
  static let schema: Int64 = 2

  static func append(_ description: SourceDescription, to output: OutputBuffer) {
    append(source: description.name, simulated: description.simulated, to: output)
  }

  /// - Parameter fields: what a command has to say besides.
  static func append(
    source: String, simulated: Bool, to output: OutputBuffer,
    _ fields: (inout JSONFieldWriter) -> Void = { _ in }
  ) {
    output.append("{\"type\":\"start\"")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.integer("schema", schema)
    writer.string("version", Version.text)
    writer.string("source", source)
    writer.boolean("simulated", simulated)
    fields(&writer)
    output.append("}\n")
  }
}
