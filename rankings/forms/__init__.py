"""What directors fill in. A form shapes and checks; a service decides."""
