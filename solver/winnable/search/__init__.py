"""What the compiled searches of several games share."""
