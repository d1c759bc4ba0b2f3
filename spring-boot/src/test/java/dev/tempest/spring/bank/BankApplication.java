package dev.tempest.spring.bank;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with a linearizable service. */
@SpringBootApplication
public class BankApplication {}
