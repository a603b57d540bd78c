import Captures

let source = CaptureFileSource(path: "/nowhere")
do {
  try await source.start()
} catch {
  print(error)
}
