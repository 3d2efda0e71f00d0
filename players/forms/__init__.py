"""What people fill in. A form shapes and checks; a service decides."""
