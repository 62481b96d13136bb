print("codec-fuzz")
