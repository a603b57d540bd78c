import HTTPServer

print(ListenAddress("127.0.0.1:8080") as Any)
