"""Every file is opened here, once, and turned into nodes of the model; nothing is ever executed."""
