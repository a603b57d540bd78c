import Bluetooth

/// The first JSON line of a stream.
enum StartLine {
  static func append(_ description: SourceDescription, to output: OutputBuffer) {
    output.append("{\"type\":\"start\",\"schema\":1")
    var writer = JSONFieldWriter(output, continuing: true)
    writer.string("version", Version.text)
    writer.string("source", description.name)
    writer.boolean("simulated", description.simulated)
    output.append("}\n")
  }
}
