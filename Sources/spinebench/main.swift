print("spinebench")
