#![no_main]

waraq_fuzz::bytes_target!(waraq_fuzz::pictures::pictures);
